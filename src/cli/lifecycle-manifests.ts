/** The part of the table of the lifecycles that checks manifests. It is loaded at once, with the program that checks them. */
import type { ManifestRules } from './lint/manifests/manifest-rules.ts';
import { manifestRules as ofPods } from './pod/manifest-rules.ts';

export const manifestRules: Readonly<Record<string, ManifestRules>> = {
  pod: ofPods,
};
