import { ActionIcon, Button, Group, Slider, Stack, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { commonTexts } from '@ovation/contract/texts/common'
import { mediaTexts } from '@ovation/contract/texts/media'
import { IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import '@mantine/core/styles/Slider.layer.css'
import 'react-easy-crop/react-easy-crop.css'
import { useObjectUrl } from '../lib/browser/use-object-url.ts'
import { type CropArea, cropImage } from '../lib/uploads/crop-image.ts'
import classes from './crop-dialog.module.css'
import { Dialog } from './dialog.tsx'

const { crop: texts } = mediaTexts

const shapes = {
  avatar: { aspect: 1, maxWidth: 640, title: texts.avatar },
  banner: { aspect: 3, maxWidth: 1920, title: texts.banner },
  /** The picture of the front page (FIND-06). */
  front: { aspect: 16 / 9, maxWidth: 1920, title: texts.front },
} as const
/** Pixels for each press of an arrow key. */
const stepPx = 8
/** The space around the crop area, for the rest of the picture and the focus ring. */
const marginPx = 12
const maxZoom = 4

type Size = { width: number; height: number }

type Props = { kind: keyof typeof shapes; file: File; onCropped: (file: File) => void; onClose: () => void }

/** Chooses the visible part of a picture (PROF-08): drag, pinch, or use the arrow keys; zoom and rotate with controls. */
export default function CropDialog({ kind, file, onCropped, onClose }: Props) {
  const { aspect, maxWidth, title } = shapes[kind]
  const url = useObjectUrl(file)
  const { ref: frameRef, width, height } = useElementSize()
  const cut = largestIn({ width, height }, aspect)
  /** The picture's size as displayed: fitted into the frame. */
  const [whole, setWhole] = useState<Size>()
  const [position, setPosition] = useState({ x: 0, y: 0 })
  /** 1 if the picture just fills the crop area. */
  const [zoom, setZoom] = useState(1)
  const [turn, setTurn] = useState(0)
  const [area, setArea] = useState<CropArea>()
  const [pending, setPending] = useState(false)
  const fill = whole && cut ? toFill(cut, turn % 180 === 0 ? whole : { width: whole.height, height: whole.width }) : 1

  const use = async () => {
    setPending(true)
    // If the browser can't decode the picture, upload the original: the server supports more formats, and rejects other files.
    onCropped(area ? await cropImage(file, area, turn, maxWidth).catch(() => file) : file)
  }

  return (
    <Dialog title={title} onClose={onClose} size="lg" closable={!pending}>
      <Stack>
        <div className={classes.frame} data-kind={kind} ref={frameRef}>
          {url && cut && (
            // A new frame needs a new cropper: if size and zoom change together, it only applies the zoom.
            <Cropper
              key={`${cut.width}:${cut.height}`}
              image={url}
              crop={position}
              zoom={fill * zoom}
              minZoom={fill}
              maxZoom={fill * maxZoom}
              rotation={turn}
              aspect={aspect}
              cropSize={cut}
              // Also called while the picture is still loading, with no size.
              setMediaSize={(size) => size.width > 0 && size.height > 0 && setWhole(size)}
              cropShape={kind === 'avatar' ? 'round' : 'rect'}
              showGrid={false}
              keyboardStep={stepPx}
              onCropChange={setPosition}
              onZoomChange={(scale) => setZoom(scale / fill)}
              onCropAreaChange={(_percent, pixels) => setArea(pixels)}
              cropperProps={{ 'aria-label': texts.area, role: 'application' }}
              mediaProps={{ alt: '' }}
              disableAutomaticStylesInjection
            />
          )}
        </div>
        <Text size="sm" c="dimmed">
          {texts.hint}
        </Text>
        <Group wrap="nowrap" gap="sm">
          <IconZoomOut size={20} stroke={1.6} className={classes.sign} aria-hidden="true" />
          <Slider
            className={classes.zoom}
            min={1}
            max={maxZoom}
            step={0.05}
            value={zoom}
            onChange={setZoom}
            label={null}
            thumbLabel={texts.zoom}
          />
          <IconZoomIn size={20} stroke={1.6} className={classes.sign} aria-hidden="true" />
          <ActionIcon variant="default" size="lg" aria-label={texts.rotate} onClick={() => setTurn((turn + 90) % 360)}>
            <IconRotateClockwise size={20} stroke={1.6} />
          </ActionIcon>
        </Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={pending}>
            {commonTexts.cancel}
          </Button>
          <Button onClick={use} loading={pending}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** The largest crop area in the frame, even if the picture is narrower: a smaller one would be hard to judge. */
function largestIn({ width, height }: Size, aspect: number): Size | undefined {
  const across = Math.min(width - 2 * marginPx, (height - 2 * marginPx) * aspect)
  return across > 0 ? { width: across, height: across / aspect } : undefined
}

/** The scale at which the picture covers the crop area. */
const toFill = (cut: Size, picture: Size) => Math.max(cut.width / picture.width, cut.height / picture.height)
