/** The pod that one verification runs in. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { VerifyConfig } from '../config/model.ts';
import { parseImageName } from '../hooks/image-name.ts';
import { MANAGED_BY_LABEL, MANAGER, RUN_ID_LABEL } from '../render/put-labels.ts';

export interface VerifyPlace {
  readonly name: string;
  readonly namespace: string;
  readonly runId: string;
  /** Of each built image, by its name without tag. */
  readonly references: ReadonlyMap<string, string>;
}

/** It runs once: what fails has failed. A built image is the one that was built now. */
export function verifyPod({ container }: VerifyConfig, place: VerifyPlace): Pod {
  const { name, image, command, args, env } = container;
  const { references, runId, namespace } = place;
  const meant = image.includes('@') ? image : (references.get(parseImageName(image).repo) ?? image);
  const labels = { [MANAGED_BY_LABEL]: MANAGER, [RUN_ID_LABEL]: runId };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: place.name, namespace, labels },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name,
          image: meant,
          ...(command.length > 0 && { command: [...command] }),
          ...(args.length > 0 && { args: [...args] }),
          ...(env.length > 0 && { env: env.map((one) => ({ ...one })) }),
        },
      ],
    },
  };
}

/** Of a pod with one container: its exit code; null: it has not ended. */
export function exitCodeIn({ status = {} }: Pod): number | null {
  const { phase, containerStatuses: [container] = [] } = status;
  if (phase === 'Succeeded') return 0;
  if (phase !== 'Failed') return null;
  const code = container?.state?.terminated?.exitCode ?? FAILED;
  return code === 0 ? FAILED : code;
}

const FAILED = 1;
