import sharp from 'sharp'
import type { DemoFile, DemoProduct } from './content/types.ts'
import type { DemoPerson } from './demo-client.ts'
import { pictureType, readPicture } from './pictures.ts'
import { type Page, writePdf } from './write-pdf.ts'

/** Puts products up for sale that aren't there yet. Their files are made here. */
export async function sellProducts(
  { client, userId, profileId }: DemoPerson,
  products: readonly DemoProduct[],
): Promise<void> {
  const { data: existing } = await client.from('products').select('title').eq('creator_id', profileId).throwOnError()
  for (const product of products) {
    if (existing.some(({ title }) => title === product.title)) continue
    const files = []
    for (const file of product.files) {
      const path = `${userId}/${crypto.randomUUID()}`
      const { body, type } = await makeFile(file)
      const { error } = await client.storage.from('products').upload(path, body, { contentType: type })
      if (error) throw error
      files.push({ path, name: file.name })
    }
    const cover_path = `${userId}/${crypto.randomUUID()}`
    const { error } = await client.storage
      .from('covers')
      .upload(cover_path, await readPicture(product.cover), { contentType: pictureType })
    if (error) throw error
    const { data: product_id } = await client
      .rpc('save_product', {
        title: product.title,
        description: product.description,
        price_cents: product.priceCents,
        takes_more: product.takesMore ?? false,
        subscriber_percent_off: product.subscriberPercentOff ?? 0,
        stock: product.stock ?? null,
        cover_path,
        files,
      })
      .throwOnError()
    await client.rpc('set_product_status', { product_id, status: 'published' }).throwOnError()
  }
}

async function makeFile(file: DemoFile): Promise<{ body: Buffer; type: string }> {
  if ('pages' in file) {
    const pages = await Promise.all(file.pages.map(makePage))
    return { body: writePdf(pages), type: 'application/pdf' }
  }
  if ('text' in file) return { body: Buffer.from(file.text), type: 'text/plain' }
  return { body: Buffer.from(writePreset(file.name.replace(/\.xmp$/, ''), file.looks)), type: 'application/rdf+xml' }
}

async function makePage(picture: string): Promise<Page> {
  const { data, info } = await sharp(await readPicture(picture))
    .jpeg({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
  return { jpeg: data, width: info.width, height: info.height }
}

/** A preset of Camera Raw. */
function writePreset(name: string, looks: Readonly<Record<string, string>>): string {
  const settings = Object.entries(looks).map(([setting, value]) => `   crs:${setting}="${value}"`)
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
   crs:PresetType="Normal"
   crs:Version="15.0"
   crs:HasSettings="True"
${settings.join('\n')}>
   <crs:Name><rdf:Alt><rdf:li xml:lang="x-default">${name}</rdf:li></rdf:Alt></crs:Name>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
`
}
