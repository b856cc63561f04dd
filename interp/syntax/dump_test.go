package syntax

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

var spanType = reflect.TypeFor[Span]()

// dump writes a tree: the type of a node, then its fields, without spans and without
// fields that are empty.
func dump(v any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(v))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Name]() {
			b.WriteString(v.FieldByName("Text").String())
			return
		}
		b.WriteString("(" + v.Type().Name())
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type == spanType || f.Type == reflect.TypeFor[*Source]() || v.Field(i).IsZero() {
				continue
			}
			fmt.Fprintf(b, " %s=", f.Name)
			dumpValue(b, v.Field(i))
		}
		b.WriteByte(')')
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

// checkSpans checks that every span of a tree lies in its source and in the span of
// the node around it.
func checkSpans(t testing.TB, src *Source, v reflect.Value, outer Span) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*Source]() {
			checkSpans(t, src, v.Elem(), outer)
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkSpans(t, src, v.Index(i), outer)
		}
	case reflect.Struct:
		if v.Type() == spanType {
			sp := v.Interface().(Span)
			if !sp.Valid() {
				return
			}
			if sp.Src != src || sp.Start < outer.Start || sp.End > outer.End || sp.Start > sp.End {
				t.Errorf("span %d-%d in one of %d-%d: %.100q", sp.Start, sp.End, outer.Start, outer.End, src.Text)
			}
			return
		}
		if f := v.FieldByName("Span"); f.IsValid() && f.Type() == spanType {
			if sp := f.Interface().(Span); sp.Valid() {
				checkSpans(t, src, f, outer)
				outer = sp
			}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Span" {
				checkSpans(t, src, v.Field(i), outer)
			}
		}
	}
}

// whole is the span of all of src.
func whole(src *Source) Span { return Span{src, 0, int32(len(src.Text))} }
