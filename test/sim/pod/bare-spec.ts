import type { ContainerSpec } from '../../../src/platform/container-runtime.ts';

/** A resolved spec of a run, for tests that need only its owner. */
export function bareSpec({
  id,
  labels,
  image,
}: Pick<ContainerSpec, 'id' | 'labels'> & { readonly image: string }): ContainerSpec {
  return {
    id,
    labels,
    image: {
      reference: image,
      id: 'sha256:0',
      rootPath: null,
      config: { entrypoint: [], command: [], env: {}, workingDir: null, user: null },
    },
    argv: ['run'],
    env: {},
    workingDir: null,
    mounts: [],
    stdin: false,
    tty: false,
    user: null,
    readOnlyRoot: false,
    privileged: false,
    hostname: 'pod',
    limits: { memoryBytes: null, cpuMillis: null },
    logLimitBytes: null,
    annotations: {},
  };
}
