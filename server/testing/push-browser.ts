import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A browser with its own push service, which receives messages and decrypts them with its subscription's keys (RFC 8291). */
export class PushBrowser {
  readonly received: { payload: unknown; headers: IncomingHttpHeaders }[] = []
  status = 201
  readonly #keys = createECDH('prime256v1')
  readonly #secret = randomBytes(16)
  readonly #server: Server

  constructor() {
    this.#keys.generateKeys()
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        if (this.status < 300)
          this.received.push({ payload: this.#read(Buffer.concat(chunks)), headers: request.headers })
        response.writeHead(this.status).end()
      })
    })
  }

  async open() {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  close() {
    return new Promise((resolve) => this.#server.close(resolve))
  }

  get origin() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get subscription() {
    return {
      endpoint: `${this.origin}/push/1`,
      p256dh: this.#keys.getPublicKey().toString('base64url'),
      auth: this.#secret.toString('base64url'),
    }
  }

  /** aes128gcm (RFC 8188): salt, record size, the sender's key, and one record. */
  #read(body: Buffer): unknown {
    const salt = body.subarray(0, 16)
    const keyLength = body[20] ?? 0
    const sender = body.subarray(21, 21 + keyLength)
    const sealed = body.subarray(21 + keyLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender])
    const shared = Buffer.from(hkdfSync('sha256', this.#keys.computeSecret(sender), this.#secret, info, 32))
    const key = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: nonce\0', 12))
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString())
  }
}
