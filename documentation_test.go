package ambit_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryExportedNameIsDocumented reads the sources as go doc does. Every exported function, method, type, constant
// and variable has a sentence of its own, beside it or, for the members of a list, above the list. Fields are spoken for
// by their type's.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	names := 0
	for _, dir := range packageFolders(t) {
		p, fset := parsePackage(t, dir)
		miss := func(pos token.Pos, name string) {
			t.Errorf("%s: %s has no documentation", fset.Position(pos), name)
		}
		values := func(list []*doc.Value) {
			for _, v := range list {
				for _, spec := range v.Decl.Specs {
					s := spec.(*ast.ValueSpec)
					for _, n := range s.Names {
						if names++; n.IsExported() && v.Doc == "" && s.Doc.Text() == "" && s.Comment.Text() == "" {
							miss(n.Pos(), n.Name)
						}
					}
				}
			}
		}
		functions := func(list []*doc.Func) {
			for _, f := range list {
				if names++; f.Doc == "" && !isPlainMethod(f) {
					miss(f.Decl.Pos(), strings.TrimPrefix(f.Recv+"."+f.Name, "."))
				}
			}
		}
		values(p.Consts)
		values(p.Vars)
		functions(p.Funcs)
		for _, typ := range p.Types {
			if names++; typ.Doc == "" {
				miss(typ.Decl.Pos(), typ.Name)
			}
			values(typ.Consts)
			values(typ.Vars)
			functions(typ.Funcs)
			functions(typ.Methods)
		}
	}
	if names < 500 {
		t.Errorf("only %d names were looked at", names)
	}
	t.Logf("%d exported names", names)
}

// TestPackagesAnswerAQuestion holds that the first sentence of each package's documentation is the question it answers.
func TestPackagesAnswerAQuestion(t *testing.T) {
	for _, dir := range packageFolders(t) {
		p, _ := parsePackage(t, dir)
		first, _, _ := strings.Cut(p.Doc, "\n\n")
		if q := strings.Index(first, "?"); q < 0 || strings.Contains(first[:q], ". ") {
			t.Errorf("%s: the first sentence asks nothing: %q", dir, p.Synopsis(p.Doc))
		}
	}
}

// TestEnumsHaveWords holds that the small integers of a closed set read and write themselves as words.
func TestEnumsHaveWords(t *testing.T) {
	enums := 0
	for _, dir := range packageFolders(t) {
		p, fset := parsePackage(t, dir)
		for _, typ := range p.Types {
			spec := typ.Decl.Specs[0].(*ast.TypeSpec)
			if under, ok := spec.Type.(*ast.Ident); !ok || under.Name != "uint8" || !spec.Name.IsExported() {
				continue
			}
			enums++
			for _, want := range []string{"String", "MarshalText", "UnmarshalText"} {
				if !slices.ContainsFunc(typ.Methods, func(f *doc.Func) bool { return f.Name == want }) {
					t.Errorf("%s: %s has no %s", fset.Position(spec.Pos()), typ.Name, want)
				}
			}
		}
	}
	if enums < 25 {
		t.Errorf("only %d enums were looked at", enums)
	}
}

// packageFolders gives the folders of the packages that others import.
func packageFolders(t *testing.T) (out []string) {
	t.Helper()
	for _, root := range []string{"envelope", "tiers", "harness", "systempolicy", "turnenvelope", "campaign"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			if e.Name() == "internal" || e.Name() == "testdata" || strings.HasSuffix(e.Name(), "test") {
				return fs.SkipDir
			}
			if files, err := filepath.Glob(filepath.Join(path, "*.go")); err != nil || len(files) > 0 {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func parsePackage(t *testing.T, dir string) (*doc.Package, *token.FileSet) {
	t.Helper()
	fset := token.NewFileSet()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, filepath.ToSlash(dir))
	if err != nil {
		t.Fatal(err)
	}
	return p, fset
}

// isPlainMethod reports the methods that say by their name and signature all that there is to say.
func isPlainMethod(f *doc.Func) bool {
	return f.Recv != "" && (f.Name == "Error" || f.Name == "Unwrap" || f.Name == "Is")
}
