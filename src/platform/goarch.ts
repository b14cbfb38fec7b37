/** The GOARCH of Node's name of a processor architecture. */
export function goarchOf(arch: string): string {
  return { x64: 'amd64', ia32: '386' }[arch] ?? arch;
}
