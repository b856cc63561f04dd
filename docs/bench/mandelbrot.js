// The twin of mandelbrot.bend.
const width = 1 << Number(process.argv[2] ?? 11);
const f = Math.fround;

function escape(cx, cy) {
  let x = 0, y = 0;
  for (let n = 200; n > 0; n--) {
    const x2 = f(x * x), y2 = f(y * y);
    if (f(x2 + y2) > 4) return n - 1;
    const xy = f(x * y);
    x = f(f(x2 - y2) + cx);
    y = f(f(xy * 2) + cy);
  }
  return 0;
}

const step = f(3 / width);
let sum = 0;
for (let y = 0; y < width; y++)
  for (let x = 0; x < width; x++)
    sum += escape(f(f(x * step) - 2), f(f(y * step) - 1.5));
console.log(sum >>> 0);
