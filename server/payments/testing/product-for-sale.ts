import type { Person } from '../../testing/gateway.ts'

type Seller = Pick<Person, 'client' | 'userId'>

type Details = {
  readonly files?: readonly { readonly path: string; readonly name: string }[]
  readonly stock?: number
  readonly price?: number
  readonly takesMore?: boolean
}

let uploads = 0
/** Uploads a file for a product, as the app does. @returns its path. */
export async function uploadProductFile(
  creator: Seller,
  body: string | Buffer = 'one two three four five six seven',
  contentType = 'application/zip',
): Promise<string> {
  uploads += 1
  const path = `${creator.userId}/file-${uploads}`
  const { error } = await creator.client.storage.from('products').upload(path, body, { contentType })
  if (error) throw error
  return path
}

/** Puts a product up for sale, for $12.00 by default. @returns products.id */
export async function buildProductForSale(creator: Seller, details: Details = {}): Promise<string> {
  const { data: id } = await creator.client
    .rpc('save_product', {
      title: 'Brushes',
      description: 'Forty brushes',
      price_cents: details.price ?? 1200,
      takes_more: details.takesMore ?? false,
      ...(details.stock !== undefined && { stock: details.stock }),
      files: details.files ?? [{ path: await uploadProductFile(creator), name: 'Brüshes 1.zip' }],
    })
    .throwOnError()
  await creator.client.rpc('set_product_status', { product_id: id, status: 'published' }).throwOnError()
  return id
}
