"""What every HTTP exchange of ours needs: a deadline that holds, and the causes behind a library's error."""
