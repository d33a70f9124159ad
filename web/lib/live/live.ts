/** The users in a channel, by presence key, with the state of each of their devices. */
export type Present = Readonly<Record<string, readonly unknown[]>>

export type ChannelListener = {
  onBroadcast(event: string, payload: unknown): void
  onPresent(present: Present): void
}

/** A joined private topic of realtime/v1. */
export type Channel = {
  /** Broadcasts to the others. Lost when disconnected or not permitted. */
  broadcast(event: string, payload: object): void
  /** Shows the viewer's presence, as far as their settings allow; `null` ends it. */
  track(state: object | null): void
  leave(): void
}

/** The changes to listen to. An empty filter means every row. */
export type Listened = {
  readonly table: string
  readonly filter: string
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
}

/** Live updates, wherever the socket is. */
export type Live = {
  /** Calls back after changes of matching rows that the viewer may see, and when changes may have been missed. */
  listen(what: Listened, onChange: () => void): () => void
  /** @param key the viewer's presence key in the channel. */
  join(topic: string, key: string, listener: ChannelListener): Channel
}
