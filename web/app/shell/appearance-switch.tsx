import { isMantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { menuTexts } from '@ovation/contract/texts/account-menu'
import classes from './appearance-switch.module.css'

const { label, ...names } = menuTexts.appearance
const schemes = ['auto', 'light', 'dark'] as const

/** Light, dark, or the system's setting; stored on this device. Menu items, so that the menu's arrow keys reach them. */
export function AppearanceSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset className={classes.appearance} aria-label={label}>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(chosen) => isMantineColorScheme(chosen) && setColorScheme(chosen)}
      >
        {schemes.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme} className={classes.choice} checkIcon={<span />}>
            {names[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </fieldset>
  )
}
