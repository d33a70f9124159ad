import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Options = {
  readonly challenge: string | ArrayBuffer
  readonly rpId?: string
  readonly rp?: { readonly id?: string }
}

const flags = { userPresent: 1, userVerified: 4, attested: 64 } as const

/** A software authenticator: it creates one ES256 credential and signs with it like a security key, and responds like a browser. */
export class Authenticator {
  readonly #id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The result of `navigator.credentials.create`, in JSON. */
  create(options: Options) {
    const clientData = this.#clientData('webauthn.create', options.challenge)
    const attested = Buffer.concat([Buffer.alloc(16), uint16(this.#id.length), this.#id, coseKey(this.#keys.publicKey)])
    const authData = this.#authData(options.rp?.id ?? '', flags.attested, attested)
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    })
  }

  /** The result of `navigator.credentials.get`, in JSON. */
  get(options: Options) {
    const clientData = this.#clientData('webauthn.get', options.challenge)
    const authData = this.#authData(options.rpId ?? '', 0, Buffer.alloc(0))
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    })
  }

  /** Acts like a copy of the key, which has signed less often than the original. */
  rewind() {
    this.#counter -= 1
  }

  /** Sets how often the key has signed. */
  count(signatures: number) {
    this.#counter = signatures
  }

  #credential<Response>(response: Response) {
    const id = this.#id.toString('base64url')
    const json = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response } as const
    return { ...json, toJSON: () => json }
  }

  #clientData(type: string, challenge: string | ArrayBuffer): Buffer {
    const text = typeof challenge === 'string' ? challenge : Buffer.from(challenge).toString('base64url')
    return Buffer.from(JSON.stringify({ type, challenge: text, origin: this.#origin, crossOrigin: false }))
  }

  #authData(rpId: string, more: number, attested: Buffer): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.#counter)
    const bits = Buffer.from([flags.userPresent | flags.userVerified | more])
    return Buffer.concat([createHash('sha256').update(rpId).digest(), bits, counter, attested])
  }
}

/** COSE: {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cborMap([
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

/** The few parts of RFC 8949 that are needed here. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(value)])
}
const cborInt = (value: number) => (value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (pairs: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])
