/** GOARCH of what Node calls this processor. */
export function goarchOf(arch: string): string {
  return { x64: 'amd64', ia32: '386' }[arch] ?? arch;
}
