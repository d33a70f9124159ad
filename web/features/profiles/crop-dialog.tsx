import { ActionIcon, Button, Group, Slider, Stack, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { mediaTexts } from '@ovation/contract/texts/media'
import { IconRotateClockwise } from '@tabler/icons-react'
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import '@mantine/core/styles/Slider.layer.css'
import 'react-easy-crop/react-easy-crop.css'
import { type CropArea, cropImage } from '../../lib/crop-image.ts'
import { useObjectUrl } from '../../lib/use-object-url.ts'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './crop-dialog.module.css'

const { crop: texts } = mediaTexts

const shapes = {
  avatar: { aspect: 1, maxWidth: 640, title: texts.avatar },
  banner: { aspect: 3, maxWidth: 1920, title: texts.banner },
} as const
/** Of the picture, for each press of an arrow key. */
const stepPx = 8

type Props = { kind: 'avatar' | 'banner'; file: File; onCropped: (file: File) => void; onClose: () => void }

/** Which part of a picture is shown (PROF-08). Dragged, pinched, or moved by the arrow keys; zoom and turning by their controls. */
export default function CropDialog({ kind, file, onCropped, onClose }: Props) {
  const { aspect, maxWidth, title } = shapes[kind]
  const url = useObjectUrl(file)
  const [position, setPosition] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [turn, setTurn] = useState(0)
  const [area, setArea] = useState<CropArea>()
  const [pending, setPending] = useState(false)

  const use = async () => {
    setPending(true)
    // A picture that this browser can't show goes up as it is: the server knows more formats, and refuses what is none.
    onCropped(area ? await cropImage(file, area, turn, maxWidth).catch(() => file) : file)
  }

  return (
    <Dialog title={title} onClose={onClose} size="lg" closable={!pending}>
      <Stack>
        <div className={classes.frame}>
          {url && (
            <Cropper
              image={url}
              crop={position}
              zoom={zoom}
              rotation={turn}
              aspect={aspect}
              cropShape={kind === 'avatar' ? 'round' : 'rect'}
              showGrid={false}
              keyboardStep={stepPx}
              onCropChange={setPosition}
              onZoomChange={setZoom}
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
        <Group wrap="nowrap">
          <Slider
            className={classes.zoom}
            min={1}
            max={4}
            step={0.05}
            value={zoom}
            onChange={setZoom}
            label={null}
            thumbLabel={texts.zoom}
          />
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
