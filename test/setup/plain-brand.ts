import type { BrandContents } from '../../src/brands/brands.ts'

/** A brand without files. */
export const plainBrand: BrandContents = {
  ...{ name: 'Talks', fontUploadId: null, logoUploadId: null },
  look: {
    ...{ colour: '#ff0000', highlightColour: null, boxColour: null, margins: null },
    ...{ logoCorner: 'top_right', logoWidth: 0.12 },
  },
}
