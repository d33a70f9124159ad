/** An email address that breaks before its domain if it is too long for a line. */
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
