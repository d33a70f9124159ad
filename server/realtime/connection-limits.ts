/** Limits of one connection. A connection that exceeds them gets the reason and is closed; others are not affected. */
export const limits = {
  /** Largest frame, in bytes. */
  maxFrameBytes: 1024 * 1024,
  maxChannelsPerConnection: 100,
  maxBindingsPerChannel: 50,
  /** Frames per second on average, and in a burst. */
  framesPerSecond: 100,
  framesAtOnce: 300,
  /** Bytes that may be buffered for a slow reader. */
  maxUnsentBytes: 8 * 1024 * 1024,
  /** Clients send a heartbeat every 25 seconds; one that misses two is gone. */
  silentMs: 75_000,
  /** How long a join waits until the log is followed; clients give up after 10 s. */
  joinWaitMs: 8_000,
  maxTopicLength: 255,
  /** Size of a presence, and of the options of a join, in characters of JSON: both are stored. */
  maxPresenceLength: 16 * 1024,
  maxJoinLength: 128 * 1024,
  /** Size of a delivered row, in characters of JSON. */
  maxRecordLength: 1024 * 1024,
  /** Length of a regular expression in a filter. */
  maxPatternLength: 200,
} as const
