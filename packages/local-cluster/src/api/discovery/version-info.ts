/** The Kubernetes whose behaviour is followed; what it was built with is ours. */
export const VERSION_INFO: Readonly<Record<string, string>> & { readonly gitVersion: string } = {
  major: '1',
  minor: '37',
  emulationMajor: '1',
  emulationMinor: '37',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '36',
  gitVersion: 'v1.37.2',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'lifehook',
  platform: 'linux/amd64',
};
