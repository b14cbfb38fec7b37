/**
 * The checks and conversions of manifests that lifecycles add, imported statically by the program that checks
 * manifests.
 */
import type { ManifestConversion } from './convert/conversion.ts';
import type { ManifestRules } from './lint/manifests/manifest-rules.ts';
import * as pod from './pod/manifest-rules.ts';
import * as rollout from './rollout/manifest-rules.ts';
import * as snapshot from './snapshot/manifest-rules.ts';

export const manifestRules: Readonly<Record<string, ManifestRules>> = {
  pod: pod.manifestRules,
  rollout: rollout.manifestRules,
  snapshot: snapshot.manifestRules,
};

/** The objects of other products that `lifehook convert` converts. */
export const manifestConversions: Readonly<Record<string, readonly ManifestConversion[]>> = {
  rollout: rollout.manifestConversions,
  snapshot: snapshot.manifestConversions,
};
