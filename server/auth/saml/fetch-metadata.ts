import { isLoopback } from '../../http/loopback.ts'
import { requestOutside } from '../../outside-request.ts'
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
    const { status, body } = await requestOutside(new URL(url), {
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
      timeoutMs,
      maxBytes: metadataMaxLength,
      publicOnly: false, // the operator chose the URL, and a company's provider may be in the operator's network
    })
    if (status < 200 || status >= 300) throw new Error(`the server returned ${status}`)
    return body
  } catch (cause) {
    throw authErrors.samlMetadataFetchFailed(cause)
  }
}

function isTrustworthy(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
