import { Button, Group, Slider, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/Slider.layer.css'
import { useMove } from '@mantine/hooks'
import { commonTexts } from '@ovation/contract/texts/common'
import { focusTexts as texts } from '@ovation/contract/texts/picture-focus'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import type { Focus } from '../posts/queries.ts'
import classes from './focus-dialog.module.css'

type Props = { url: string; value: Focus | undefined; onChange: (value: Focus) => void; onClose: () => void }

const middle: Focus = { x: 0.5, y: 0.5 }
const percent = (fraction: number) => `${fraction * 100}%`

/** Sets the part of a picture that stays in view (LOOP-11): by touch or mouse on the picture, or by sliders. */
export default function FocusDialog({ url, value, onChange, onClose }: Props) {
  const [focus, setFocus] = useState(value ?? middle)
  const { ref, active } = useMove(setFocus)
  const crop = { objectPosition: `${percent(focus.x)} ${percent(focus.y)}` }
  const slider = (axis: 'x' | 'y', label: string) => (
    <Slider
      // In percent, as it is read aloud.
      min={0}
      max={100}
      label={null}
      thumbLabel={label}
      value={Math.round(focus[axis] * 100)}
      onChange={(moved) => setFocus({ ...focus, [axis]: moved / 100 })}
    />
  )
  return (
    <Dialog title={texts.title} onClose={onClose} size="lg" fullScreenOnPhone>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.hint}
        </Text>
        <div className={classes.stage}>
          <div ref={ref} className={classes.picture} data-moving={active}>
            <img src={url} alt="" draggable={false} />
            <span className={classes.point} style={{ left: percent(focus.x), top: percent(focus.y) }} />
          </div>
          {/* As the feed and a profile's grid crop it. */}
          <div className={classes.crops} aria-hidden="true">
            <img src={url} alt="" style={crop} />
            <img src={url} alt="" style={crop} />
          </div>
        </div>
        {slider('x', texts.across)}
        {slider('y', texts.down)}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" mr="auto" px="xs" onClick={() => setFocus(middle)}>
            {texts.middle}
          </Button>
          <Button variant="default" onClick={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            onClick={() => {
              onChange(focus)
              onClose()
            }}
          >
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
