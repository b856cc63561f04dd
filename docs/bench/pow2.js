// The twin of pow2.bend.
function make(d, k) {
  return d === 0 ? { n: k } : { l: make(d - 1, 2 * k), r: make(d - 1, 2 * k + 1) };
}

function sum(t) {
  return t.l ? (sum(t.l) + sum(t.r)) >>> 0 : t.n;
}

console.log(sum(make(Number(process.argv[2] ?? 22), 0)));
