/** What a snapshot's status keeps of its hooks, and what it says of itself: parts of `kinds.ts`. */
import type { ContainerStatus, ReleaseCause } from './kinds.ts';

export interface HookEvidence {
  name: string;
  preActionSucceed?: boolean;
  postActionSucceed?: boolean;
  releaseCause?: ReleaseCause;
  /** When the first preAction was recorded, and when the last thaw ended. */
  firstPreAt?: string;
  lastThawAt?: string;
  /** What speaks against a freeze that was held over the cut; absent: nothing does (SNAP-I2). */
  finding?: HookFinding;
  /** Without their attempts; at most 500 of a snapshot, those with a finding first. */
  targets: TargetEvidence[];
}

export interface HookFinding {
  value: 'Inconsistent' | 'Unknown';
  /** One word in CamelCase: "ThawedBeforeCut". */
  reason: string;
  message: string;
}

export interface TargetEvidence extends ContainerStatus {
  /** The end of what the thaw printed, secrets masked: PostgreSQL's label, which a restore needs. */
  thawOutput?: string;
  /** Whether it was the same container when it was looked at after the thaw. */
  identity: 'Same' | 'Changed' | 'Gone' | 'Unknown';
}

export interface Verdict {
  value: VerdictValue;
  /** One word in CamelCase: "ThawedBeforeCut". */
  reason: string;
  message: string;
  /** From the first preAction to the last thaw, milliseconds. */
  freezeWindowMs?: number;
  decidedAt: string;
}

export type VerdictValue = 'ApplicationConsistent' | 'CrashConsistent' | 'Inconsistent' | 'Unknown';
