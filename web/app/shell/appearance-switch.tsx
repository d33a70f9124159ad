import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { shellTexts } from '@ovation/contract/texts/common'
import classes from './appearance-switch.module.css'

const { label, auto, light, dark } = shellTexts.appearance

/** Light, dark, or as the device says. The choice stays on this device. */
export function AppearanceSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div className={classes.appearance}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={label}
        value={colorScheme}
        onChange={setColorScheme}
        data={[
          { value: 'auto', label: auto },
          { value: 'light', label: light },
          { value: 'dark', label: dark },
        ]}
      />
    </div>
  )
}
