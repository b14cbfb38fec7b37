/** Feature gates of one component (the API server or the node): whether each gate is on, by name. */
export type FeatureGates = Readonly<Record<GateName, boolean>>;

export type GateName = 'PodLifecycleSleepAction' | 'PodLifecycleSleepActionAllowZero';

/** The defaults of the Kubernetes version that the local cluster follows: both are on. */
export const DEFAULT_GATES: FeatureGates = {
  PodLifecycleSleepAction: true,
  PodLifecycleSleepActionAllowZero: true,
};
