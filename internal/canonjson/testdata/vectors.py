"""Writes vectors.jsonl: documents and what Python's json module makes of them.

Each line is [document, compact, canonical, ascii_indented]. Run by go generate, with Python 3.11 or newer.
"""
import json
import random

random.seed(14)

CHARS = list("ab z\"\\/\b\f\n\r\t\x00\x01\x1f\x7f\x80\xa0é<>&'ß漢\u2028\u2029\ufeff\ufffd\uffff\U0001f600\U00010000\U0010ffff")
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1e-4, 9.999e-5, 1e-5, 1e-7, 123456789.125, 1e15, 9999999999999998.0, 1e16, 1e17,
          1e21, 1e22, 1.5e300, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 4.35, 2.675, 1 / 3, 100.0]
INTS = [0, 1, -1, 9, 10, 2**31, 2**53, 2**53 + 1, -(2**63), 2**64, 10**40, -(10**300)]


def text(n=6):
    return "".join(random.choice(CHARS) for _ in range(random.randrange(n)))


def value(depth):
    kind = random.randrange(10 if depth else 6)
    if kind == 0:
        return random.choice([None, True, False])
    if kind == 1:
        return random.choice(INTS + [random.randrange(-10**9, 10**9)])
    if kind == 2:
        return random.choice(FLOATS + [random.uniform(-1e3, 1e3), random.random() * 10.0 ** random.randrange(-320, 300)])
    if kind < 6:
        return text(12)
    if kind < 8:
        return [value(depth - 1) for _ in range(random.randrange(5))]
    return {text(): value(depth - 1) for _ in range(random.randrange(20 if kind == 9 else 5))}


RAW = ['-0', '1E5', '1e+5', '1.0e-0', '-0.0', '-0e3', '1e-400', '0.1e1', '[ ]', '{ }', ' [1 , 2 ] ', '{"a" : {"b":[ ]}}',
       '"\\u0041\\/\\u00e9\\ud83d\\ude00\\u0000\\u001F"', '{"\\uffff":1,"\\ud83d\\ude00":2,"b":3,"B":4,"":5,"a\\u0000":6,"a":7}',
       '9007199254740993', '123456789012345678901234567890.5', '4.940656458412465e-324', '1.7976931348623158e308', '1' + '0' * 400]

with open("vectors.jsonl", "w", encoding="utf-8") as out:
    docs = list(RAW)
    for i in range(230):
        docs.append(json.dumps(value(3), ensure_ascii=i % 3 == 0, separators=random.choice([(",", ":"), (", ", ": "), (" ,", " :")]),
                               indent=random.choice([None, None, 1])))
    for doc in docs:
        v = json.loads(doc)
        print(json.dumps([doc, json.dumps(v, separators=(",", ":"), ensure_ascii=False),
                          json.dumps(v, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
                          json.dumps(v, sort_keys=True, indent=2)]), file=out)
