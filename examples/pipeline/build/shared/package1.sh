greet() {
  echo 'hello from the shared package'
}
