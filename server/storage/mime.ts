/** The type alone, lower case, without parameters such as a charset. */
export function bareType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}

/** True when a type is on a bucket's list, which may hold `image/*`. Without a list every type is allowed. */
export function isAllowedType(type: string, allowed: readonly string[] | null): boolean {
  if (!allowed || allowed.length === 0) return true
  const bare = bareType(type)
  return allowed.some((pattern) => {
    const wanted = bareType(pattern)
    return wanted === '*/*' || wanted === bare || (wanted.endsWith('/*') && bare.startsWith(wanted.slice(0, -1)))
  })
}

/** True for a bucket of pictures and videos, with or without sound, where a file's first bytes must confirm its type. */
export function isMediaOnly(allowed: readonly string[] | null): boolean {
  const families = new Set(allowed?.map((pattern) => bareType(pattern).split('/')[0]))
  return families.isSubsetOf(new Set(['image', 'video', 'audio'])) && (families.has('image') || families.has('video'))
}

/** A page, or what may become one: HTML, XML other than pictures, and multipart answers. */
const page = /^(text\/(html|xml|xsl)|application\/xml|(?!image\/svg\+).*\+xml|multipart\/.*)$/
/** Types that a `<script>` runs even with `nosniff`, under all the names that JavaScript has had. */
const script = /^(text|application)\/((x-)?(java|ecma)script|jscript|livescript|javascript1\.\d)$/

/** A type that a browser would run is sent as plain text: files share the product's origin, which may run scripts. */
export function safeToServe(type: string | undefined): string {
  const bare = bareType(type ?? '')
  if (page.test(bare) || script.test(bare)) return 'text/plain; charset=utf-8'
  return type || 'application/octet-stream'
}
