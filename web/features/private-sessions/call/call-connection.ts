/**
 * Signaling messages between the two browsers of a call, sent through the session's topic. A seat identifies one window until it reloads.
 */
export type Signal =
  | { kind: 'hello'; from: string; to: string | null }
  | { kind: 'description'; from: string; to: string; description: RTCSessionDescriptionInit }
  | { kind: 'candidate'; from: string; to: string; candidate: RTCIceCandidateInit }
  | { kind: 'bye'; from: string }

export type LinkState = 'waiting' | 'connecting' | 'connected' | 'reconnecting'

type Options = {
  iceServers: RTCIceServer[]
  /** True for one of the two browsers, which then makes every offer, so that offers never cross. */
  offers: boolean
  send: (signal: Signal) => void
  onState: (state: LinkState) => void
  /** The other browser's stream; null once it has disconnected. */
  onRemote: (stream: MediaStream | null) => void
  /** Called when several attempts have failed. */
  onUnreachable: () => void
}

type Kind = 'audio' | 'video'
const helloMs = 1_500
/** The timeout of an attempt. */
const attemptTimeoutMs = 8_000
const maxSilentAttempts = 3

/**
 * The WebRTC connection to the other browser of a private session. Broadcasts aren't stored, so signals may be lost: a browser that isn't
 * connected keeps saying hello, and the one that makes the offers starts over after a failed attempt. After a reload, a browser has a new
 * seat, and so a new connection.
 */
export class CallConnection {
  readonly #options: Options
  readonly #seat = crypto.randomUUID()
  readonly #tracks: Record<Kind, MediaStreamTrack | null> = { audio: null, video: null }
  readonly #hello: ReturnType<typeof setInterval>
  #peer: { seat: string; connection: RTCPeerConnection; early: RTCIceCandidateInit[]; offeredAt: number } | undefined
  #hasBeenConnected = false
  #attempts = 0
  /** Processes signals one at a time. */
  #queue: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: Options) {
    this.#options = options
    this.#sayHello()
    this.#hello = setInterval(() => this.#beat(), helloMs)
  }

  /** Sends this track from now on; null sends nothing of this kind. */
  setTrack(kind: Kind, track: MediaStreamTrack | null): void {
    this.#tracks[kind] = track
    for (const transceiver of this.#peer?.connection.getTransceivers() ?? []) {
      if (transceiver.receiver.track.kind === kind) void transceiver.sender.replaceTrack(track)
    }
  }

  receive(signal: Signal): void {
    if (this.#closed || signal.from === this.#seat) return
    this.#queue = this.#queue.then(() => this.#handle(signal)).catch(() => undefined) // the next hello starts over
  }

  close(): void {
    if (this.#closed) return
    this.#options.send({ kind: 'bye', from: this.#seat })
    this.#closed = true
    clearInterval(this.#hello)
    this.#forgetPeer()
  }

  async #handle(signal: Signal): Promise<void> {
    if (this.#closed) return
    if (signal.kind === 'bye') {
      if (this.#peer?.seat !== signal.from) return
      this.#forgetPeer()
      this.#hasBeenConnected = false
      this.#options.onState('waiting')
      return
    }
    if (signal.kind === 'hello') return this.#meet(signal.from, signal.to)
    if (signal.to !== this.#seat) return
    if (this.#peer?.seat !== signal.from) this.#connectTo(signal.from)
    const peer = this.#peer
    if (!peer) return
    if (signal.kind === 'candidate') {
      if (peer.connection.remoteDescription) await peer.connection.addIceCandidate(signal.candidate)
      else peer.early.push(signal.candidate)
      return
    }
    await peer.connection.setRemoteDescription(signal.description)
    for (const candidate of peer.early.splice(0)) await peer.connection.addIceCandidate(candidate)
    if (signal.description.type !== 'offer') return
    await this.#attachTracks(peer.connection)
    await peer.connection.setLocalDescription()
    this.#describe(peer.seat, peer.connection)
  }

  /** The other browser is there. A new seat is a new window or a reloaded page. */
  async #meet(seat: string, knows: string | null): Promise<void> {
    const isNew = this.#peer?.seat !== seat
    if (isNew) {
      this.#connectTo(seat)
      this.#sayHello()
    }
    const peer = this.#peer
    if (!this.#options.offers || !peer || peer.connection.connectionState === 'connected') return
    // Only if the other browser knows this seat and so accepts the offer.
    if (knows === this.#seat && Date.now() - peer.offeredAt > attemptTimeoutMs) await this.#offer()
  }

  async #offer(): Promise<void> {
    const peer = this.#peer
    if (!peer) return
    if (peer.offeredAt > 0) {
      this.#attempts += 1
      if (this.#attempts === maxSilentAttempts) this.#options.onUnreachable()
    }
    peer.offeredAt = Date.now()
    const { connection } = peer
    // Roll back an unanswered offer; a broken connection restarts ICE.
    if (connection.signalingState === 'have-local-offer') await connection.setLocalDescription({ type: 'rollback' })
    if (connection.getTransceivers().length === 0) {
      connection.addTransceiver('audio', { direction: 'sendrecv' })
      connection.addTransceiver('video', { direction: 'sendrecv' })
    }
    await this.#attachTracks(connection)
    await connection.setLocalDescription(await connection.createOffer({ iceRestart: true }))
    this.#describe(peer.seat, connection)
  }

  async #attachTracks(connection: RTCPeerConnection): Promise<void> {
    for (const transceiver of connection.getTransceivers()) {
      transceiver.direction = 'sendrecv'
      await transceiver.sender.replaceTrack(this.#tracks[transceiver.receiver.track.kind as Kind])
    }
  }

  #connectTo(seat: string): void {
    this.#forgetPeer()
    const connection = new RTCPeerConnection({ iceServers: this.#options.iceServers })
    const remote = new MediaStream()
    const isCurrent = () => this.#peer?.connection === connection
    connection.onicecandidate = ({ candidate }) => {
      if (candidate && isCurrent())
        this.#options.send({ kind: 'candidate', from: this.#seat, to: seat, candidate: candidate.toJSON() })
    }
    connection.ontrack = ({ track }) => {
      remote.addTrack(track)
      if (isCurrent()) this.#options.onRemote(remote)
    }
    connection.onconnectionstatechange = () => isCurrent() && this.#follow(connection.connectionState)
    this.#peer = { seat, connection, early: [], offeredAt: 0 }
    this.#options.onState(this.#hasBeenConnected ? 'reconnecting' : 'connecting')
  }

  #follow(state: RTCPeerConnectionState): void {
    if (state === 'connected') {
      this.#hasBeenConnected = true
      this.#attempts = 0
      this.#options.onState('connected')
    } else if (state === 'disconnected' || state === 'failed') {
      if (this.#peer) this.#peer.offeredAt = state === 'failed' ? 1 : this.#peer.offeredAt
      this.#options.onState('reconnecting')
      this.#sayHello()
    }
  }

  #beat(): void {
    if (this.#peer?.connection.connectionState !== 'connected') this.#sayHello()
  }

  #sayHello(): void {
    this.#options.send({ kind: 'hello', from: this.#seat, to: this.#peer?.seat ?? null })
  }

  #describe(to: string, { localDescription }: RTCPeerConnection): void {
    if (localDescription)
      this.#options.send({ kind: 'description', from: this.#seat, to, description: localDescription.toJSON() })
  }

  #forgetPeer(): void {
    this.#peer?.connection.close()
    this.#peer = undefined
    this.#options.onRemote(null)
  }
}

/** Whether a broadcast is a signal that this release knows: the other browser may have another release. */
export function isSignal(value: unknown): value is Signal {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('from' in value)) return false
  return typeof value.from === 'string' && ['hello', 'description', 'candidate', 'bye'].includes(String(value.kind))
}
