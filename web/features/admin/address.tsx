/** An e-mail address. One that is longer than its line is parted before its domain. */
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
