package repl

// untrusted tells why the person may not know what a file does. Who owns a file is not
// asked for on Windows.
func untrusted(string) string { return "is in this folder" }
