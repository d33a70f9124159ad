import { generateKeyPairSync, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { recordMethods } from '../testing/record-methods.ts'
import { addressOf } from './wallet-signature.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    env: { AUTH_EXTERNAL_WEB3_ETHEREUM_ENABLED: '1', AUTH_EXTERNAL_WEB3_SOLANA_ENABLED: '1' },
  })
})
afterAll(() => gateway.close())

function ethereumWallet() {
  const key = secp256k1.utils.randomSecretKey()
  const address = addressOf(secp256k1.getPublicKey(key, false))
  const personalSign = (message: string) => {
    const text = Buffer.from(message)
    const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]))
    const recovered = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
    return `0x${Buffer.from(recovered.subarray(1)).toString('hex')}${(27 + (recovered[0] ?? 0)).toString(16)}` as const
  }
  const answers: Record<string, (params: string[]) => unknown> = {
    eth_requestAccounts: () => [address],
    eth_chainId: () => '0x1',
    personal_sign: ([hex = '']) => personalSign(Buffer.from(hex.slice(2), 'hex').toString('utf8')),
  }
  const provider = {
    request: async ({ method, params = [] }: { method: string; params?: string[] }) => answers[method]?.(params),
  }
  return { address, personalSign, provider: provider as never }
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function base58(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = `${alphabet[Number(value % 58n)]}${text}`
  return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
}

function solanaWallet() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = base58(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const signMessage = async (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey))
  return { address, wallet: { publicKey: { toBase58: () => address }, signMessage } as never }
}

const message = (address: string, { issuedAt = new Date(), url = gateway.url, more = '' } = {}) =>
  `${new URL(url).host} wants you to sign in with your Ethereum account:\n${address}\n\nHello\n\nURI: ${url}/\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: ${issuedAt.toISOString()}${more}`

describe('sign-in with a wallet', () => {
  it('creates an account for an Ethereum address, and finds it again [API-AUTH-06]', async () => {
    const { address, provider } = ethereumWallet()
    const sign = () =>
      gateway.client().auth.signInWithWeb3({
        chain: 'ethereum',
        wallet: provider,
        statement: 'Hello',
        options: { url: `${gateway.url}/` },
      })
    const { data, error } = await sign()
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email: '',
      app_metadata: { provider: 'web3', providers: ['web3'] },
      identities: [{ provider: 'web3', id: `web3:ethereum:${address}` }],
    })
    expect((await sign()).data.user?.id).toBe(data.user?.id)
  })

  it('accepts a Solana wallet as well', async () => {
    const { address, wallet } = solanaWallet()
    const { data, error } = await gateway
      .client()
      .auth.signInWithWeb3({ chain: 'solana', wallet, statement: 'Hello', options: { url: `${gateway.url}/` } })
    expect(error).toBeNull()
    expect(data.user?.identities).toMatchObject([{ id: `web3:solana:${address}` }])
  })

  it('accepts a message once, for this site, now, and from the address it names', async () => {
    const { address, personalSign } = ethereumWallet()
    const attempt = async (text: string, signature = personalSign(text)) =>
      (await gateway.client().auth.signInWithWeb3({ chain: 'ethereum', message: text, signature })).error
    const good = message(address)
    expect(await attempt(good)).toBeNull()
    expect(await attempt(good)).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('used already'),
    })

    const minutes = (n: number) => new Date(Date.now() + n * 60_000)
    for (const [text, reason] of [
      [message(address, { url: 'https://evil.example' }), 'not this site'],
      [message(address, { issuedAt: minutes(-11) }), 'too long ago'],
      [message(address, { issuedAt: minutes(5) }), 'in the future'],
      [message(address, { more: `\nExpiration Time: ${minutes(-1).toISOString()}` }), 'expired'],
      [message(address, { more: `\nNot Before: ${minutes(5).toISOString()}` }), 'not valid yet'],
      [message(address, { more: '\nExpiration Time: soon' }), 'form of EIP-4361'],
      [message(address).replace(/^\S+/, 'evil.example'), 'domain'],
      [message(address).replace('Version: 1', 'Version: 2'), 'version'],
      ['hello', 'form of EIP-4361'],
    ] as const) {
      expect(await attempt(text)).toMatchObject({ code: 'validation_failed', message: expect.stringContaining(reason) })
    }
    const other = ethereumWallet()
    const text = message(address, { issuedAt: minutes(-1) })
    expect(await attempt(text, other.personalSign(text))).toMatchObject({ code: 'invalid_credentials' })
    expect(await attempt(text, '0x00')).toMatchObject({ code: 'invalid_credentials' })
    expect(await attempt(text, `0x${'00'.repeat(65)}`)).toMatchObject({ code: 'invalid_credentials' })
    const solana = solanaWallet()
    const forged = text.replace('Ethereum', 'Solana').replace(address, solana.address)
    const { error } = await gateway
      .client()
      .auth.signInWithWeb3({ chain: 'solana', message: forged, signature: new Uint8Array(64) })
    expect(error).toMatchObject({ code: 'invalid_credentials' })
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('wallet'))
