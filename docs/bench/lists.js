// The twin of lists.bend: lists of cells, as there.
const [n, times] = process.argv.slice(2).map(Number);
let acc = 0;
for (let t = 0; t < times; t++) {
  let xs = null, ys = null;
  for (let k = 0; k < n; k++) xs = { head: k, tail: xs };
  for (; xs; xs = xs.tail) ys = { head: xs.head, tail: ys };
  for (; ys; ys = ys.tail) acc = (Math.imul(acc, 31) + ys.head) >>> 0;
}
console.log(acc);
