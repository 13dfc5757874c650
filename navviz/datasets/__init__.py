"""What can be fetched: public archives and places of OpenStreetMap."""
