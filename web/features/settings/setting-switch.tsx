import { Switch } from '@mantine/core'
import classes from './settings.module.css'

type Props = { label: string; hint?: string; checked: boolean; disabled?: boolean; onChange?: (on: boolean) => void }

/** A setting that is on or off. Saved on click. */
export function SettingSwitch({ label, hint, checked, disabled, onChange }: Props) {
  return (
    <Switch
      label={label}
      description={hint}
      labelPosition="left"
      size="md"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange?.(event.currentTarget.checked)}
      classNames={{
        root: classes.switch,
        body: classes.switchBody,
        labelWrapper: classes.switchWords,
        label: classes.switchLabel,
        description: classes.switchHint,
      }}
    />
  )
}
