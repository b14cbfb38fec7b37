/** Which fault happens next: by order of a test, or by dice that a seed repeats. */
export type RequestFault =
  /** The connection breaks before an answer. */
  | 'reset'
  /** 503 and 429 with Retry-After. */
  | 'unavailable'
  | 'tooMany'
  | 'broken'
  | 'late'
  /** 410 for a watch, or for a page after the first. */
  | 'expired'
  /** The watch is forwarded with a resourceVersion that the server has compacted: the server itself answers 410. */
  | 'forgotten'
  /** The body of a list is truncated. */
  | 'cutBody'
  /** 422 for a watch list. */
  | 'refusedList';

export type LineFault =
  | 'delay'
  | 'duplicate'
  /** Repeats all events of this watch so far. */
  | 'replay'
  | 'resetMidLine'
  /** Half an event, then a clean end of the stream. */
  | 'truncate'
  | 'cut'
  /** Forwards nothing more, and closes nothing. */
  | 'stall'
  | 'expiredEvent'
  | 'garbage'
  /** Does not forward the end of the initial events. */
  | 'lostBookmark';

export type Fault = RequestFault | LineFault;

export interface RequestAbout {
  /** A watch from a resourceVersion. */
  readonly resumes: boolean;
  readonly watchList: boolean;
  /** A page after the first. */
  readonly page: boolean;
}

export interface FaultSource {
  request(about: RequestAbout): RequestFault | null;
  /** `endsList`: it is the bookmark after the initial events. */
  line(about: { readonly endsList: boolean }): LineFault | null;
}

/** Numbers from 0 to 1 that the seed repeats. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ON_ANY: readonly RequestFault[] = ['reset', 'unavailable', 'tooMany', 'broken', 'late'];
const ON_LINES: readonly LineFault[] = [
  'delay',
  'duplicate',
  'replay',
  'resetMidLine',
  'truncate',
  'cut',
  'stall',
  'expiredEvent',
  'garbage',
];

/** `rate` is the share of the requests and of the events that something happens to. */
export function faultDice(random: () => number, rate: number): FaultSource {
  const roll = <T>(from: readonly T[]): T | null =>
    random() < rate ? (from[Math.floor(random() * from.length)] ?? null) : null;
  return {
    request: ({ resumes, watchList, page }) => {
      if (watchList) return roll<RequestFault>([...ON_ANY, 'refusedList']);
      if (resumes) return roll([...ON_ANY, 'expired', 'forgotten']);
      return roll<RequestFault>(page ? [...ON_ANY, 'cutBody', 'expired'] : [...ON_ANY, 'cutBody']);
    },
    line: ({ endsList }) => roll(endsList ? [...ON_LINES, 'lostBookmark'] : ON_LINES),
  };
}

/** All of them; the order does not matter. */
export const ALL_FAULTS: readonly Fault[] = [
  ...ON_ANY,
  'expired',
  'forgotten',
  'cutBody',
  'refusedList',
  ...ON_LINES,
  'lostBookmark',
];

/** One fault of this kind at the first opportunity, and from then on the faults of the other source. */
export function firstThen(first: Fault, then: FaultSource): FaultSource {
  const ordered = new OrderedFaults();
  // A client asks for a list with a body only if watch lists are refused.
  if (first === 'cutBody') ordered.order('refusedList');
  ordered.order(first);
  return {
    request: (about) => ordered.request(about) ?? then.request(about),
    line: (about) => ordered.line(about) ?? then.line(about),
  };
}

const FITS: Readonly<Record<string, (about: RequestAbout) => boolean>> = {
  expired: ({ resumes, page }) => resumes || page,
  forgotten: ({ resumes }) => resumes,
  refusedList: ({ watchList }) => watchList,
  cutBody: ({ resumes, watchList }) => !resumes && !watchList,
};

/** Each of those once, at the first opportunity. */
export class OrderedFaults implements FaultSource {
  readonly #waiting: Fault[] = [];

  order(fault: Fault): void {
    this.#waiting.push(fault);
  }

  request(about: RequestAbout): RequestFault | null {
    const [next] = this.#waiting;
    const fits = FITS[next ?? ''] ?? ((): boolean => ON_ANY.some((one) => one === next));
    if (!fits(about)) return null;
    return (this.#waiting.shift() as RequestFault | undefined) ?? null;
  }

  line({ endsList }: { readonly endsList: boolean }): LineFault | null {
    const [next] = this.#waiting;
    const fits = (next === 'lostBookmark' && endsList) || ON_LINES.some((one) => one === next);
    if (!fits) return null;
    return (this.#waiting.shift() as LineFault | undefined) ?? null;
  }
}
