import { isLoopback } from '../../http/loopback.ts'
import { authErrors } from '../errors.ts'
import { metadataMaxLength } from './metadata.ts'

const timeoutMs = 8000

/**
 * Fetches metadata from a URL that an admin gave. Without TLS only from this machine: anyone who can change them in transit can sign in
 * as any user of that company.
 * @throws GatewayError 400 `validation_failed`, `saml_metadata_fetch_failed`.
 */
export async function fetchMetadata(url: string): Promise<string> {
  if (!isTrustworthy(url)) throw authErrors.validationFailed('metadata_url must be an https:// address')
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
      redirect: 'error', // otherwise an https URL could lead to one without TLS
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`the server returned ${response.status}`)
    return await readBounded(response)
  } catch (cause) {
    throw authErrors.samlMetadataFetchFailed(cause)
  }
}

function isTrustworthy(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > metadataMaxLength) throw new Error('the metadata are too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}
