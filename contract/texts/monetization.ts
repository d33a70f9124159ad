/** A creator's default prices and tip settings (DASH-03, PROF-21, D28). */
export const monetizationTexts = {
  title: 'Prices and tips',
  hint: 'Defaults for new posts and messages. You can change each price before you send.',
  ppvPrice: 'Pay-per-view post price',
  messagePrice: 'Paid message price',
  priceHint: 'In USD (optional). Leave blank to enter a price each time.',
  takesTips: 'Accept tips',
  takesTipsHint: "When off, fans can't tip you on your profile or posts.",
  tipMin: 'Minimum tip',
  tipMinHint: 'In USD, from $1.00 to $500.00',
  presets: 'Suggested tips',
  presetsHint: 'One to four amounts in USD, separated by commas',
  submit: 'Save',
  saved: 'Prices and tips saved',
  failed: "Couldn't save prices and tips",
  errors: {
    price: 'Enter a price from $1.00 to $9,999.99, or leave it blank',
    tipMin: 'Enter an amount from $1.00 to $500.00',
    presets: (smallest: string) => `Enter one to four different amounts from ${smallest} to $500.00`,
  },
  /** In the tip dialog. */
  noTips: (name: string) => `${name} isn't accepting tips right now.`,
  amountHint: (smallest: string) => `From ${smallest} to $500.00`,
  amountWrong: (smallest: string) => `Enter an amount from ${smallest} to $500.00`,
} as const
