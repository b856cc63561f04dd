// The twin of fib.bend.
function fib(n) {
  if (n === 0) return 0;
  if (n === 1) return 1;
  return (fib(n - 1) + fib(n - 2)) >>> 0;
}

console.log(fib(Number(process.argv[2])));
