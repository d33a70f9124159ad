/** An email address. If it is too long for a line, it breaks before its domain. */
export function Address({ of: address }: { of: string }) {
  const at = address.lastIndexOf('@')
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}
