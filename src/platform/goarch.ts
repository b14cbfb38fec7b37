/** Converts a processor architecture from Node's name to the GOARCH name. */
export function goarchOf(arch: string): string {
  return { x64: 'amd64', ia32: '386' }[arch] ?? arch;
}
