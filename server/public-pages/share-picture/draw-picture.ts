import sharp from 'sharp'
import { type PictureTexts, pictureSize } from './describe-picture.ts'
import { drawable, measureText, outlineText, wrapText } from './outline-text.ts'

const margin = 64
const faceSide = 120

export type PictureParts = {
  readonly texts: PictureTexts
  /** JPEG or PNG in any size. */
  readonly background: Buffer | undefined
  readonly face: Buffer | undefined
}

/** The product's colors (web/ui/theme.ts). Over a picture, the words are white on its darkened lower half. */
const onPaper = { ground: '#faf7f2', text: '#231e1a', dimmed: '#6b6158' }
const onPicture = { ground: '#171412', text: '#ffffff', dimmed: '#f1ebe2' }
const accent = '#b3123b'

/** Draws the picture that other sites show beside a link. @returns a JPEG of `pictureSize`. */
export async function drawPicture({ texts, background, face }: PictureParts): Promise<Buffer> {
  const { width, height } = pictureSize
  const colors = background ? onPicture : onPaper
  const ground = background
    ? sharp(background, { sequentialRead: true }).autoOrient().resize(width, height, { fit: 'cover' })
    : sharp({ create: { width, height, channels: 3, background: colors.ground } })
  const layers = [{ input: Buffer.from(writeLayer(texts, colors, background !== undefined, face !== undefined)) }]
  const faces = face ? [{ input: await roundFace(face), left: margin, top: height - margin - faceSide }] : []
  return ground
    .flatten({ background: colors.ground })
    .composite([...layers, ...faces])
    .jpeg({ quality: 82 })
    .toBuffer()
}

const roundFace = (face: Buffer): Promise<Buffer> =>
  sharp(face)
    .autoOrient()
    .resize(faceSide, faceSide, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: Buffer.from(circle), blend: 'dest-in' }])
    .png()
    .toBuffer()

const circle = `<svg xmlns="http://www.w3.org/2000/svg" width="${faceSide}" height="${faceSide}"><circle cx="50%" cy="50%" r="50%"/></svg>`

/** From the bottom: the creator, what it costs, and above them the heading with its detail. */
function writeLayer(texts: PictureTexts, colors: typeof onPaper, darkens: boolean, hasFace: boolean): string {
  const { width, height } = pictureSize
  const room = width - 2 * margin
  const foot = height - margin
  const left = margin + (hasFace ? faceSide + 28 : 0)
  // Beside a price there is less room.
  const nameRoom = (texts.price === '' ? room : 650) - left
  const shortened = (text: string, sizePx: number) => wrapText(text, sizePx, nameRoom, 1)[0] ?? ''
  const name = drawable(texts.name)
  const heading = wrapText(drawable(texts.heading) ?? name ?? texts.username, 60, room, 2)
  const detail = wrapText(drawable(texts.detail) ?? '', 32, room, 2)
  const detailTop = foot - faceSide - 44 - Math.max(0, detail.length - 1) * 44
  const headingTop = detailTop - (detail.length > 0 ? 60 : 0) - (heading.length - 1) * 72
  const lines = (list: readonly string[], top: number, stepPx: number, sizePx: number, color: string) =>
    group(color, ...list.map((line, index) => outlineText(line, margin, top + index * stepPx, sizePx)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    ${darkens ? scrim : ''}
    ${group(colors.text, outlineText(texts.site, margin, margin + 26, 30))}
    ${lines(heading, headingTop, 72, 60, colors.text)}
    ${lines(detail, detailTop, 44, 32, colors.dimmed)}
    ${name === undefined ? '' : group(colors.text, outlineText(shortened(name, 36), left, foot - 66, 36))}
    ${group(colors.dimmed, outlineText(shortened(`@${texts.username}`, 28), left, foot - (name === undefined ? 50 : 20), 28))}
    ${texts.price === '' ? '' : writePrice(texts.price)}
  </svg>`
}

const group = (color: string, ...paths: readonly string[]): string => `<g fill="${color}">${paths.join('')}</g>`

/** At the lower right, like the button that it stands for. */
function writePrice(price: string): string {
  const { width, height } = pictureSize
  const sizePx = 30
  const [text = ''] = wrapText(drawable(price) ?? '', sizePx, 400, 1)
  const box = { width: measureText(text, sizePx) + 56, height: 72 }
  const [x, y] = [width - margin - box.width, height - margin - box.height - 20]
  return `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="14" fill="${accent}"/>
    ${group('#ffffff', outlineText(text, x + 28, y + 46, sizePx))}`
}

const scrim = `<defs><linearGradient id="scrim" x2="0" y2="1">
    <stop offset="0" stop-color="#171412" stop-opacity="0.45"/><stop offset="0.3" stop-color="#171412" stop-opacity="0.25"/>
    <stop offset="1" stop-color="#171412" stop-opacity="0.9"/>
  </linearGradient></defs><rect width="100%" height="100%" fill="url(#scrim)"/>`
