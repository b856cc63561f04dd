package lane

import "fmt"

// A Policy says what happens when the next frame does not fit the stack.
type Policy int

// The policies.
const (
	Half  Policy = iota // the older half moves to the heap, and comes back in parts
	Whole               // the whole stack moves, and comes back whole
	Off                 // the call ends with an error
	Every               // all but the newest frame moves, at every push: for tests and lessons
)

var policyNames = []string{"half", "whole", "off", "every"}

func (p Policy) String() string { return policyNames[p] }

// ParsePolicy returns the policy of the given name.
func ParsePolicy(s string) (Policy, error) {
	for i, name := range policyNames {
		if s == name {
			return Policy(i), nil
		}
	}
	return 0, fmt.Errorf("%q is no spill policy: off, whole, half or every", s)
}
