type Keys = { readonly altKey: boolean; readonly ctrlKey: boolean; readonly metaKey: boolean }

/** Whether a key belongs to a shortcut of the browser, such as Alt+Left for Back. */
export const hasModifier = ({ altKey, ctrlKey, metaKey }: Keys): boolean => altKey || ctrlKey || metaKey
