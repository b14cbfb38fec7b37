// Says hello.
export function greet(name) {
  return `hello, ${name}`; // to whoever asks
}
