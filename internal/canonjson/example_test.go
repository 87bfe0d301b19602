package canonjson_test

import (
	"errors"
	"fmt"

	"example.com/ambit/internal/canonjson"
	"example.com/ambit/internal/fault"
)

func ExampleParse() {
	v, err := canonjson.Parse("in.json", []byte(`{"name": "a", "tags": ["x", "y"], "size": 1e2}`), canonjson.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for key, value := range v.Members() {
		start, end := value.Span()
		fmt.Println(key.Text(), value.Kind(), start, end)
	}
	fmt.Println(v.At("tags").Index(1).Text())
	fmt.Println(string(canonjson.Canonical(v)))
	// Output:
	// name string 9 12
	// tags array 22 32
	// size number 42 45
	// y
	// {"name":"a","size":100.0,"tags":["x","y"]}
}

func ExampleParse_refused() {
	_, err := canonjson.Parse("in.json", []byte("{\"a\": [1,\n {\"b\": 1, \"b\": NaN}]}"), canonjson.Limits{})
	fmt.Println(err)
	for _, e := range fault.All(err) {
		var d *canonjson.Detail
		errors.As(e, &d)
		fmt.Println(e.Code, d.Offset, d.Pointer)
	}
	// Output:
	// in.json:2:11: a[1].b: duplicate key "b"
	// in.json:2:16: a[1].b: NaN is not a JSON number
	// json_duplicate 20 /a/1/b
	// json_number 25 /a/1/b
}

func ExampleObject() {
	record := canonjson.Object{
		{Key: "ok", Value: canonjson.Bool(true)},
		{Key: "names", Value: canonjson.Strings([]string{"é"})},
		{Key: "count", Value: canonjson.Int(2)},
	}
	fmt.Println(string(canonjson.Compact(record)))
	fmt.Println(string(canonjson.Append(nil, record, canonjson.Format{SortKeys: true, ASCII: true, Indent: "  "})))
	// Output:
	// {"ok":true,"names":["é"],"count":2}
	// {
	//   "count": 2,
	//   "names": [
	//     "\u00e9"
	//   ],
	//   "ok": true
	// }
}

func ExampleHash() {
	a := canonjson.Object{{Key: "b", Value: canonjson.Int(1)}, {Key: "a", Value: nil}}
	b, _ := canonjson.Parse("", []byte(` { "a" : null, "b" : 1 } `), canonjson.Limits{})
	fmt.Println(canonjson.Hash(a) == canonjson.Hash(b))
	// Output: true
}
