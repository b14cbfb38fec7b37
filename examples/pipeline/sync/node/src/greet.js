// Says hello.
export function greet(name) {
  return `hello, ${name}`; // minify.sh removes this comment
}
