/** Pixels of the displayed picture, after rotation. */
export type CropArea = { x: number; y: number; width: number; height: number }

/** Formats with transparency keep their type; everything else becomes JPEG. */
const outputOf = (file: File) => (file.type === 'image/png' || file.type === 'image/webp' ? 'image/png' : 'image/jpeg')

/**
 * Crops a picture in the browser.
 * @param turn clockwise rotation in degrees, a multiple of 90.
 * @param maxWidth pixels: as many as screens need.
 * @throws when the browser can't read the picture.
 */
export async function cropImage(file: File, area: CropArea, turn: number, maxWidth: number): Promise<File> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, maxWidth / area.width)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(area.width * scale)
  canvas.height = Math.round(area.height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The picture could not be drawn')
  const quarters = (((turn / 90) % 4) + 4) % 4
  const [width, height] = quarters % 2 === 0 ? [picture.width, picture.height] : [picture.height, picture.width]
  context.imageSmoothingQuality = 'high'
  context.scale(scale, scale)
  context.translate(width / 2 - area.x, height / 2 - area.y)
  context.rotate((turn * Math.PI) / 180)
  context.drawImage(picture, picture.width / -2, picture.height / -2)
  picture.close()
  const type = outputOf(file)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92))
  if (!blob) throw new Error('The picture could not be written')
  return new File([blob], file.name.replace(/\.\w+$/, type === 'image/png' ? '.png' : '.jpg'), { type })
}
