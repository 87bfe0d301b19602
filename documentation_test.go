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

// TestEveryExportedNameIsDocumented reads the sources as go doc does. Every exported function, method, type, constant,
// variable, field and method of an interface has a sentence of its own: above it, behind it, or, for what stands on one
// line with others, on that line. Names that a type has from another package are documented there.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	d := documented{t: t}
	for _, dir := range packageFolders(t) {
		p, fset := parsePackage(t, dir)
		d.fset = fset
		d.values(p.Consts)
		d.values(p.Vars)
		d.functions(p.Funcs)
		for _, typ := range p.Types {
			d.name(typ.Decl.Pos(), typ.Name, typ.Doc)
			d.values(typ.Consts)
			d.values(typ.Vars)
			d.functions(typ.Funcs)
			d.functions(typ.Methods)
			for _, spec := range typ.Decl.Specs {
				d.fields(typ.Name, spec.(*ast.TypeSpec).Type)
			}
		}
	}
	if d.names < 1000 {
		t.Errorf("only %d names were looked at", d.names)
	}
	t.Logf("%d exported names, %d without a sentence", d.names, d.missing)
}

// documented counts names and reports those without a sentence.
type documented struct {
	t              *testing.T
	fset           *token.FileSet
	names, missing int
}

func (d *documented) name(pos token.Pos, name string, texts ...string) {
	d.names++
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return
		}
	}
	d.missing++
	d.t.Errorf("%s: %s has no documentation", d.fset.Position(pos), name)
}

// values looks at constants and variables. A group is spoken for by each of its members, one that stands alone by what
// is above it.
func (d *documented) values(list []*doc.Value) {
	for _, v := range list {
		for _, spec := range v.Decl.Specs {
			s := spec.(*ast.ValueSpec)
			above := v.Doc
			if len(v.Decl.Specs) > 1 {
				above = ""
			}
			for _, n := range s.Names {
				if n.IsExported() {
					d.name(n.Pos(), n.Name, above, s.Doc.Text(), s.Comment.Text())
				}
			}
		}
	}
}

func (d *documented) functions(list []*doc.Func) {
	for _, f := range list {
		d.name(f.Decl.Pos(), strings.TrimPrefix(f.Recv+"."+f.Name, "."), f.Doc)
	}
}

// fields looks at the exported fields of a struct, also of structs inside it, and at the methods of an interface.
func (d *documented) fields(of string, typ ast.Expr) {
	var list *ast.FieldList
	switch typ := typ.(type) {
	case *ast.StructType:
		list = typ.Fields
	case *ast.InterfaceType:
		list = typ.Methods
	default:
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			if n.IsExported() {
				d.name(n.Pos(), of+"."+n.Name, f.Doc.Text(), f.Comment.Text())
				d.fields(of+"."+n.Name, f.Type)
			}
		}
	}
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

// TestEveryFunctionIsShown holds that every exported function of a package is called in a runnable example of it: those
// are where a newcomer begins.
func TestEveryFunctionIsShown(t *testing.T) {
	functions := 0
	for _, dir := range packageFolders(t) {
		shown := map[string]bool{}
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range tests {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range f.Decls {
				if example, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(example.Name.Name, "Example") {
					ast.Inspect(example, func(n ast.Node) bool {
						if s, ok := n.(*ast.SelectorExpr); ok {
							if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name+"_test" == f.Name.Name {
								shown[s.Sel.Name] = true
							}
						}
						return true
					})
				}
			}
		}
		p, fset := parsePackage(t, dir)
		list := p.Funcs
		for _, typ := range p.Types {
			list = append(list, typ.Funcs...)
		}
		for _, f := range list {
			if functions++; !shown[f.Name] {
				t.Errorf("%s: no example of %s calls %s", fset.Position(f.Decl.Pos()), dir, f.Name)
			}
		}
	}
	if functions < 80 {
		t.Errorf("only %d functions were looked at", functions)
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
