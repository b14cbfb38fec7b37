/** Options from which deploy/ is generated. */
import type { InstallOptions } from '../src/cli/install/install-options.ts';
import { version } from '../src/cli/version.ts';

/** The defaults of `lifehook install`. */
export const clusterWide: InstallOptions = {
  namespace: 'lifehook-system',
  namespaced: false,
  image: `docker.io/lifehook/lifehook:${version}`,
  replicas: 2,
  snapshotKinds: false,
  timeline: true,
};

export const namespaced: InstallOptions = { ...clusterWide, namespaced: true };
