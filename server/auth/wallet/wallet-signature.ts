import { createPublicKey, verify } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** EIP-191 `personal_sign`: the address follows from the key that made the signature (65 bytes in hex). */
export function isSignedByEthereum(message: string, signature: string, address: string): boolean {
  if (!/^0x[0-9a-f]{130}$/i.test(signature) || !/^0x[0-9a-f]{40}$/i.test(address)) return false
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const recovery = (bytes[64] ?? 0) % 27 // 27 and 28, or 0 and 1
  if (recovery > 1) return false
  const text = Buffer.from(message)
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]))
  try {
    const recovered = Buffer.concat([Buffer.from([recovery]), bytes.subarray(0, 64)])
    const key = secp256k1.recoverPublicKey(recovered, digest, { prehash: false })
    const uncompressed = secp256k1.Point.fromBytes(key).toBytes(false)
    return addressOf(uncompressed) === address.toLowerCase()
  } catch {
    return false // these numbers are no point on the curve
  }
}

/** @param uncompressed a public key of 65 bytes. */
export function addressOf(uncompressed: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(uncompressed.subarray(1)))
    .subarray(-20)
    .toString('hex')}`
}

/** Ed25519 over the unchanged message; the address is the public key in base58. */
export function isSignedBySolana(message: string, signature: string, address: string): boolean {
  const key = decodeBase58(address)
  const bytes = Buffer.from(signature, 'base64url')
  if (key?.length !== 32 || bytes.length !== 64) return false
  try {
    const publicKey = createPublicKey({
      format: 'jwk',
      key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') },
    })
    return verify(null, Buffer.from(message), publicKey, bytes)
  } catch {
    return false
  }
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function decodeBase58(text: string): Buffer | undefined {
  if (text.length > 64) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = base58.indexOf(letter)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hex = value === 0n ? '' : value.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')])
}
