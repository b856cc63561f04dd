// The twin of edit.bend.
const n = Number(process.argv[2] ?? 3000);
const xs = Array.from({ length: n }, (_, i) => Math.imul(1000000 + i, 2654435761) >>> 30);
const above = Array.from({ length: n }, (_, i) => i + 1);
for (let j = 0; j < n; j++) {
  const c = Math.imul(1 + j, 2654435761) >>> 30;
  let left = j + 1, corner = j;
  for (let i = 0; i < n; i++) {
    const up = above[i];
    left = Math.min(Math.min(up, left) + 1, corner + (xs[i] !== c ? 1 : 0));
    above[i] = left;
    corner = up;
  }
}
console.log(n ? above[n - 1] : 0);
