package cuda

import "golang.org/x/sys/windows"

func openLibrary(name string) (uintptr, error) {
	h, err := windows.LoadLibraryEx(name, 0, windows.LOAD_LIBRARY_SEARCH_DEFAULT_DIRS|windows.LOAD_LIBRARY_SEARCH_SYSTEM32)
	if err != nil {
		h, err = windows.LoadLibrary(name) // by the path too
	}
	return uintptr(h), err
}

func symbol(lib uintptr, name string) (uintptr, error) {
	return windows.GetProcAddress(windows.Handle(lib), name)
}
