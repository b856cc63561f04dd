// The twin of queens.bend.
const n = Number(process.argv[2] ?? 13);

function fill(rows, down, left, right) {
  if (rows === 0) return 1;
  let ways = 0;
  for (let k = n - 1; k >= 0; k--) {
    const bit = 1 << k;
    if (!(bit & (down | left | right))) ways += fill(rows - 1, down | bit, (left | bit) << 1, (right | bit) >>> 1);
  }
  return ways;
}

console.log(fill(n, 0, 0, 0));
