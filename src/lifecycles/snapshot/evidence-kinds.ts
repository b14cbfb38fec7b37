/** The evidence about its hooks that a snapshot's status keeps, and its verdict: parts of `kinds.ts`. */
import type { ContainerStatus, ReleaseCause } from './kinds.ts';

export interface HookEvidence {
  name: string;
  preActionSucceed?: boolean;
  postActionSucceed?: boolean;
  releaseCause?: ReleaseCause;
  /** The times when the first preAction was recorded and when the last thaw ended. */
  firstPreAt?: string;
  lastThawAt?: string;
  /** The evidence against a freeze that covered the cut; absent: there is none (SNAP-I2). */
  finding?: HookFinding;
  /** Targets without their attempts; at most 500 per snapshot, those with a finding first. */
  targets: TargetEvidence[];
}

export interface HookFinding {
  value: 'Inconsistent' | 'Unknown';
  /** One token in CamelCase: "ThawedBeforeCut". */
  reason: string;
  message: string;
}

export interface TargetEvidence extends ContainerStatus {
  /** The end of the thaw's output, secrets masked: for example PostgreSQL's label, which a restore needs. */
  thawOutput?: string;
  /** Whether it was still the same container when it was read after the thaw. */
  identity: 'Same' | 'Changed' | 'Gone' | 'Unknown';
}

export interface Verdict {
  value: VerdictValue;
  /** One token in CamelCase: "ThawedBeforeCut". */
  reason: string;
  message: string;
  /** Milliseconds from the first preAction to the last thaw. */
  freezeWindowMs?: number;
  decidedAt: string;
}

export type VerdictValue = 'ApplicationConsistent' | 'CrashConsistent' | 'Inconsistent' | 'Unknown';
