import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  // addresses relative to the page: /graphql, its files under /graphql/assets/
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    assetsDir: 'graphql/assets',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { checks: { moduleLevelDirective: false } },
    license: { fileName: 'graphql/assets/licenses.txt' },
  },
})
